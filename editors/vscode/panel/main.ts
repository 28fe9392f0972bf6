// The script of the panel's page.
import { drawCase, type CasePanel, type PanelAction } from '../../case-panel/case-panel.ts'

declare function acquireVsCodeApi(): { postMessage(action: PanelAction | { kind: 'ready' }): void }

const editor = acquireVsCodeApi()
addEventListener('message', ({ data }: MessageEvent<CasePanel | undefined>) => {
  if (data?.item) drawCase(document.querySelector('main')!, data, 1, (action) => editor.postMessage(action))
})
editor.postMessage({ kind: 'ready' })
