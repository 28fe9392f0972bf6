// The switch of the theme: as the system has it, light or dark.
import { element } from "./dom";
import { icon, type IconName } from "./icons";
import { preference, setPreference } from "./preferences";

const names: Record<string, string> = { auto: "as the system", light: "light", dark: "dark" };

/** show applies the theme. */
const show = (theme: string): string => (document.documentElement.dataset.theme = theme);

let theme = show(preference("theme") in names ? preference("theme") : "auto");

/** themeButton changes to the next theme. */
export function themeButton(): HTMLElement {
  const button = element("button", { type: "button", class: "tool", onclick: () => {
    const all = Object.keys(names);
    theme = show(all[(all.indexOf(theme) + 1) % all.length]);
    setPreference("theme", theme);
    label();
  } });
  const label = () => {
    const name = `Theme: ${names[theme]}`;
    button.replaceChildren(icon(theme as IconName));
    button.title = name;
    button.setAttribute("aria-label", name);
  };
  label();
  return button;
}
