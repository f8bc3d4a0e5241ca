/** Long enough for a browser to begin reading what it saves. */
const KEPT_MS = 60_000

/** Hands a file to the browser, or to the desktop's save dialog, which ask or know where it goes. */
export function saveFile(name: string, mediaType: string, content: string | Uint8Array<ArrayBuffer>): void {
  const address = URL.createObjectURL(new Blob([content], { type: mediaType }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  window.setTimeout(() => URL.revokeObjectURL(address), KEPT_MS)
}
