// The page's icons, drawn as lines in a square of 24.

const paths = {
  add: "M12 5v14M5 12h14",
  auto: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 0v18m0-16.5 6 4M12 11l9 2m-9 3 5 2.5",
  close: "M6 6l12 12M18 6 6 18",
  dark: "M20 14.5A8.5 8.5 0 1 1 9.5 4 6.8 6.8 0 0 0 20 14.5z",
  editor: "M8 8l-4 4 4 4m8-8 4 4-4 4M14 5l-4 14",
  error: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm-3 6 6 6m0-6-6 6",
  expand: "M7 10l5 5 5-5",
  external: "M8 16l9-9M10 7h7v7",
  filter: "M4 6h16M7 12h10m-7 6h4",
  find: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 21 21",
  help: "M12 6.5C9.5 4.5 6 4.5 4 5v14c2-.5 5.5-.5 8 1.5 2.5-2 6-2 8-1.5V5c-2-.5-5.5-.5-8 1.5zm0 0V20",
  hood: "M12 3l9 5-9 5-9-5zm-9 9.5 9 5 9-5",
  info: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 8v6m0-9.5v.01",
  light: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zm0-6v2.5m0 15V22M2 12h2.5m15 0H22M5 5l1.7 1.7M17.3 17.3 19 19M5 19l1.7-1.7M17.3 6.7 19 5",
  next: "M9 5l7 7-7 7",
  outline: "M4 6h3m4 0h9M7 12h3m4 0h6M7 18h3m4 0h6",
  previous: "M15 5l-7 7 7 7",
  rename: "M4 20h4L19.5 8.5l-4-4L4 16zM13 7l4 4",
  run: "M8 5l11 7-11 7z",
  score: "M4.5 18a9 9 0 1 1 15 0M12 14.5l4-5.5",
  share: "M12 15V4M8 7.5 12 4l4 3.5M5 12v8h14v-8",
  warning: "M12 4 2.5 20h19zm0 6v5m0 2.5v.01",
};

/** IconName is the name of an icon. */
export type IconName = keyof typeof paths;

/** icon draws an icon. It has no text, so its button needs a label. */
export function icon(name: IconName): SVGElement {
  const space = "http://www.w3.org/2000/svg", picture = document.createElementNS(space, "svg"), path = document.createElementNS(space, "path");
  path.setAttribute("d", paths[name]);
  for (const [key, value] of Object.entries({ class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" })) picture.setAttribute(key, value);
  picture.append(path);
  return picture;
}
