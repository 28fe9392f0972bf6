// What a person sets once for the page: the theme and the width of the editor. The browser may refuse to store it.

/** preference returns a stored preference, or "". */
export function preference(name: string): string {
  try {
    return localStorage.getItem(`rubric-${name}`) ?? "";
  } catch {
    return "";
  }
}

/** setPreference stores a preference. */
export function setPreference(name: string, value: string): void {
  try {
    localStorage.setItem(`rubric-${name}`, value);
  } catch {
    // It holds until the page is closed.
  }
}
