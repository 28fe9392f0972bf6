// The report as a webview page. It loads nothing and runs no scripts.

/** editorStyle maps the report's colours to the editor's. Text on a background of the report keeps the report's colour. */
const editorStyle = `:root {
  --page: var(--vscode-editor-background); --card: var(--vscode-editor-background); --ink: var(--vscode-editor-foreground);
  --soft: var(--vscode-descriptionForeground); --line: var(--vscode-widget-border, var(--vscode-contrastBorder, #8888));
  --shade: var(--vscode-textCodeBlock-background); --link: var(--vscode-textLink-foreground);
}
body { font-family: var(--vscode-font-family); font-size: calc(var(--vscode-font-size) * 1.1); }
code, pre { font-family: var(--vscode-editor-font-family, monospace); color: inherit; background: none; }
.notice { color: var(--borderline); }
.track { fill: #8886; }`

/**
 * reportPage returns a report in the editor's colours, dark or light like the theme. The content security policy
 * allows only the two styles, by a nonce.
 */
export function reportPage(report: string, dark: boolean, nonce: string): string {
  return report
    .replace(/(http-equiv="Content-Security-Policy" content=)"[^"]*"/, `$1"default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'"`)
    .replace(/<style>/, `<style nonce="${nonce}">`)
    .replaceAll('@media screen and (prefers-color-scheme: dark)', dark ? '@media screen' : '@media not all')
    .replace('</head>', `<style nonce="${nonce}">${editorStyle}</style>\n</head>`)
}
