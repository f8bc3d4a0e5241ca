import type { MessageBoxOptions, WebContents } from 'electron'

interface PageCrashParts {
  readonly showDialog: (options: MessageBoxOptions) => Promise<{ readonly response: number }>
  readonly reload: () => void
  readonly quit: () => void
}

/** Offers to reopen the page when its process ended; runs continue without it, because main drives them. */
export function reportPageCrash(contents: Pick<WebContents, 'on'>, { showDialog, reload, quit }: PageCrashParts): void {
  contents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return
    const options: MessageBoxOptions = {
      type: 'error',
      title: 'Lockkeeper',
      message: 'The page of this window crashed.',
      detail: `Reported by the desktop: ${reason}. Active runs continue. Open the page again to see them.`,
      buttons: ['Open again', 'Quit'],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
    }
    showDialog(options).then(({ response }) => (response === 1 ? quit() : reload()))
  })
}
