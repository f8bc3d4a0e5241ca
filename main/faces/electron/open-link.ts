import type { MessageBoxOptions } from 'electron'
import type { Contract } from '../../../shared/contract/index.ts'
import { visibleText } from '../../../shared/domain/visible-text.ts'
import type { Logger } from '../../platform/log/logger.ts'
import { type Link, readLink } from './read-link.ts'

interface LinkParts {
  readonly contract: Pick<Contract, 'ask'>
  readonly log: Logger
  /** Shows a place of the page, given by the part of its address behind the #. */
  readonly goTo: (place: string) => void
  /** Shows the window as it is. */
  readonly show: () => void
  readonly report: (options: MessageBoxOptions) => Promise<unknown>
}

/** Opens the page of a link, if this console has it. Only reads: a link can never start, answer or change anything. */
export function linkOpener({ contract, log, goTo, show, report }: LinkParts): (text: string) => Promise<void> {
  let isReporting = false
  return async text => {
    const shown = visibleText(text.slice(0, 200))
    const read = readLink(text)
    if (read.kind === 'refused') {
      log.warn(`a link was refused: ${read.why}`, { link: shown })
      return
    }
    const place = await placeOf(read.link, contract)
    if (place !== null) {
      log.info('a link was opened', { link: shown })
      goTo(place)
      return
    }
    log.warn('a link was refused: what it names is not on this console', { link: shown })
    show()
    // A flood of links must not fill the screen with dialogs.
    if (isReporting) return
    isReporting = true
    await report({
      type: 'info',
      title: 'Lockkeeper',
      message: `This console has no ${shown.replace('lockkeeper://', '').replace('/', ' ')}.`,
      detail: 'It may belong to another console: each knows only the runs and windows in its data directory.',
      buttons: ['Close'],
      noLink: true,
    }).finally(() => {
      isReporting = false
    })
  }
}

/** The address of the page that a link names; null if this console has none. A link needs the whole id. */
async function placeOf(link: Link, contract: LinkParts['contract']): Promise<string | null> {
  switch (link.kind) {
    case 'run': {
      const found = await contract.ask('run.show', { runId: link.id })
      if (!found.ok || found.value.summary.id !== link.id) return null
      return `/c/${encodeURIComponent(found.value.summary.cluster)}/history/${encodeURIComponent(link.id)}`
    }
    case 'window': {
      const found = await contract.ask('window.show', { id: link.id })
      return found.ok && found.value.window.id === link.id ? `/windows/${encodeURIComponent(link.id)}` : null
    }
    case 'cluster': {
      const found = await contract.ask('cluster.list', {})
      const isKnown = found.ok && found.value.some(({ name }) => name === link.name)
      return isKnown ? `/c/${encodeURIComponent(link.name)}/topology` : null
    }
  }
}
