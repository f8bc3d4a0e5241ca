import type { MessageBoxOptions } from 'electron'
import type { Contract } from '../../../shared/contract/index.ts'
import { visibleText } from '../../../shared/domain/visible-text.ts'
import type { Logger } from '../../platform/log/logger.ts'
import { type Link, readLink } from './read-link.ts'

interface LinkParts {
  readonly contract: Pick<Contract, 'ask'>
  readonly log: Logger
  /** Brings a place of the page to the front, by the part of its address behind the #. */
  readonly goTo: (place: string) => void
  /** Brings the window to the front as it is. */
  readonly show: () => void
  readonly report: (options: MessageBoxOptions) => Promise<unknown>
}

/** Opens the page that a link asks for, if this console has it. It only reads: whatever a link says, nothing is begun, answered or changed. */
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
    // Whoever sends many links gets no pile of questions onto the screen.
    if (isReporting) return
    isReporting = true
    await report({
      type: 'info',
      title: 'Lockkeeper',
      message: `This console has no ${shown.replace('lockkeeper://', '').replace('/', ' ')}.`,
      detail: 'It may be one of another console: each knows the runs and windows of its own data directory.',
      buttons: ['Close'],
      noLink: true,
    }).finally(() => {
      isReporting = false
    })
  }
}

/** Where the page of a link is; null where this console has none. The beginning of an id, which a person may type, is no link. */
async function placeOf(link: Link, contract: LinkParts['contract']): Promise<string | null> {
  switch (link.kind) {
    case 'run': {
      const found = await contract.ask('run.show', { runId: link.id })
      if (!found.ok || found.value.summary.id !== link.id) return null
      return `/c/${encodeURIComponent(found.value.summary.cluster)}/runs/${encodeURIComponent(link.id)}`
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
