// The switch of the theme: as the system has it, or the other one.
import { element } from "./dom";
import { icon, type IconName } from "./icons";
import { preference, setPreference } from "./preferences";

const names: Record<string, string> = { auto: "as the system", light: "light", dark: "dark" };

/** show applies the theme. */
const show = (theme: string): string => (document.documentElement.dataset.theme = theme);

let theme = show(preference("theme") in names ? preference("theme") : "auto");

/** themeButton changes from light to dark or back. The system's own is followed again. */
export function themeButton(): HTMLElement {
  const button = element("button", { type: "button", class: "tool", onclick: () => {
    const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    const next = (theme === "auto" ? system : theme) === "dark" ? "light" : "dark";
    theme = show(next === system ? "auto" : next);
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
