// What the server has to tell somebody, in the editor that is seen. The library takes that of
// the first file, which another tab may hide.
import type { LSPClientExtension } from "@codemirror/lsp-client";
import { showDialog } from "@codemirror/view";

/** told shows it until it is taken away. */
export const told: LSPClientExtension = {
  notificationHandlers: {
    "window/showMessage"(client, { message }: { message: string }) {
      const view = client.workspace.files.map((file) => file.getView()).find((view) => view?.dom.checkVisibility());
      if (view) showDialog(view, { label: message, top: true });
      return view !== undefined;
    },
  },
};
