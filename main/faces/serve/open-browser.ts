/** Whether the operator has a display here, which is not the case over SSH. */
export function hasDisplay(environment: Readonly<Record<string, string | undefined>>, platform: string): boolean {
  if ((environment.SSH_CONNECTION ?? '') !== '' || (environment.CI ?? '') !== '') return false
  if (platform === 'darwin' || platform === 'win32') return true
  return (environment.DISPLAY ?? '') !== '' || (environment.WAYLAND_DISPLAY ?? '') !== ''
}

/** Opens an address in the operator's browser; false if that fails. */
export async function openBrowser(address: string): Promise<boolean> {
  try {
    const { default: open } = await import('open')
    const opened = await open(address)
    opened.on('error', () => {})
    opened.unref()
    return true
  } catch {
    return false
  }
}
