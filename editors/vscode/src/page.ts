// The report as a page of the editor's: it loads nothing and runs nothing.

/**
 * ours are the report's colours that the editor has its own of. What stands on a ground
 * of the report's is in the report's ink, and not in the editor's ink for another ground.
 */
const ours = `:root {
  --page: var(--vscode-editor-background); --card: var(--vscode-editor-background); --ink: var(--vscode-editor-foreground);
  --soft: var(--vscode-descriptionForeground); --line: var(--vscode-widget-border, var(--vscode-contrastBorder, #8888));
  --shade: var(--vscode-textBlockQuote-background); --link: var(--vscode-textLink-foreground);
}
body { font-family: var(--vscode-font-family); font-size: calc(var(--vscode-font-size) * 1.1); }
code, pre { font-family: var(--vscode-editor-font-family, monospace); color: inherit; background: none; }
.notice { color: var(--borderline); }`

/**
 * page is a report in the editor's colours, dark or light as its theme is and not as
 * the system is. Its own style and ours are let in by a nonce, and nothing else is.
 */
export function page(report: string, dark: boolean, nonce: string): string {
  return report
    .replace(/(http-equiv="Content-Security-Policy" content=)"[^"]*"/, `$1"default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'"`)
    .replace(/<style>/, `<style nonce="${nonce}">`)
    .replaceAll('@media screen and (prefers-color-scheme: dark)', dark ? '@media screen' : '@media not all')
    .replace('</head>', `<style nonce="${nonce}">${ours}</style>\n</head>`)
}
