// The bar between the editor and the results. The mouse and the arrow keys move it; a double click centres it.
import { elementById } from "./dom";
import { preference, setPreference } from "./preferences";

/** The narrowest and the widest editor, in percent of the window. */
const narrowest = 20, widest = 80;

/** enableSplitter makes the bar movable. */
export function enableSplitter(): void {
  const bar = elementById("splitter"), main = bar.parentElement!;
  const show = (width: number) => {
    const percent = Math.round(Math.min(widest, Math.max(narrowest, width)) * 10) / 10;
    main.style.setProperty("--split", `${percent}%`);
    bar.setAttribute("aria-valuenow", String(Math.round(percent)));
    setPreference("split", String(percent));
  };
  const current = () => Number(bar.getAttribute("aria-valuenow"));
  bar.addEventListener("pointerdown", (event) => bar.setPointerCapture(event.pointerId));
  bar.addEventListener("pointermove", (event) => {
    if (!bar.hasPointerCapture(event.pointerId)) return;
    const share = (event.clientX / innerWidth) * 100;
    show(document.dir === "rtl" ? 100 - share : share);
  });
  bar.addEventListener("dblclick", () => show(50));
  bar.addEventListener("keydown", (event) => {
    const to = ({ ArrowLeft: current() - 2, ArrowRight: current() + 2, Home: narrowest, End: widest } as Record<string, number>)[event.key];
    if (to === undefined) return;
    event.preventDefault();
    show(to);
  });
  if (Number(preference("split"))) show(Number(preference("split")));
}
