// Shows the server's messages in the visible editor. The library shows them in the first file, which may be hidden.
import type { LSPClientExtension } from "@codemirror/lsp-client";
import { showDialog } from "@codemirror/view";

/** showMessages shows a message until the user closes it. */
export const showMessages: LSPClientExtension = {
  notificationHandlers: {
    "window/showMessage"(client, { message }: { message: string }) {
      const view = client.workspace.files.map((file) => file.getView()).find((view) => view?.dom.checkVisibility());
      if (view) showDialog(view, { label: message, top: true });
      return view !== undefined;
    },
  },
};
