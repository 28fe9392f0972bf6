// The report as a webview page. It loads nothing and runs no scripts.

/** editorStyle maps the report's colours to the editor's. Text on a background of the report keeps the report's colour. */
const editorStyle = `:root {
  --paper: var(--vscode-editor-background); --ink: var(--vscode-editor-foreground); --faint: var(--vscode-descriptionForeground);
  --edge: var(--vscode-widget-border, var(--vscode-contrastBorder, #8888)); --raised: var(--vscode-textCodeBlock-background);
  --accent: var(--vscode-textLink-foreground);
}
body { font-family: var(--vscode-font-family); font-size: calc(var(--vscode-font-size) * 1.1); }
code, pre { font-family: var(--vscode-editor-font-family, monospace); color: inherit; background: none; }
.notice { color: var(--borderline); }
.track { fill: #8886; }`

/**
 * reportPage returns a report in the editor's colours, dark or light like the theme, below a notice if there is one. The
 * content security policy allows only the two styles, by a nonce.
 */
export function reportPage(report: string, dark: boolean, nonce: string, notice = ''): string {
  return report
    .replace(/(http-equiv="Content-Security-Policy" content=)"[^"]*"/, `$1"default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'"`)
    .replace(/<style>/, `<style nonce="${nonce}">`)
    .replace('</head>', `<style nonce="${nonce}">${editorStyle}\n@media screen { :root { color-scheme: ${dark ? 'dark' : 'light'}; } }</style>\n</head>`)
    .replace('<body>', notice ? `<body><p class="notice" role="status">${notice}</p>` : '$&')
}
