import type { FoldedWindow, MaintenanceWindow } from '../domain/window.ts'
import type { RemarksSaid } from '../domain/window-remarks.ts'
import { type TextsOf, textOf } from './coded-text.ts'

const REMARKS: TextsOf<RemarksSaid> = {
  Noted: ({ text }) => text,
  StartAgreed: () => 'It starts by itself at its beginning.',
  StartLostByChange: () => 'It was changed, so it does not start by itself any more.',
  StartTakenBack: ({ why }) => `It does not start by itself any more: ${why}`,
  StartedByItself: ({ machine, agreedBy, agreedAt }) =>
    `Started by itself by the console on ${machine}, as ${agreedBy} agreed on ${agreedAt}.`,
  StartMissed: ({ why }) => `It did not start by itself. ${why}`,
  OwnersTold: ({ words, ...owners }) => `Sent to ${ownersWords(owners)}. ${words}`,
  OwnersNotTold: ({ words, ...owners }) => `Not sent to ${ownersWords(owners)}: ${words}`,
  OwnersMayBeTold: ({ words, ...owners }) => `May have been sent to ${ownersWords(owners)}. ${words}`,
  OwnersUnheard: owners => `May have been sent to ${ownersWords(owners)}. Nothing was heard of it after it was begun.`,
}

function ownersWords({ project, to }: RemarksSaid['OwnersUnheard']): string {
  return `the owners of project ${project ?? 'not known'} (${to.join(', ')})`
}

/** A window as people read it. */
export function wordedWindow(window: FoldedWindow): MaintenanceWindow {
  return {
    ...window,
    remarks: window.remarks.map(({ at, kind, by, ...said }) => ({
      at,
      kind,
      text: textOf<RemarksSaid, keyof RemarksSaid>(REMARKS, said),
      code: said.code,
      values: { ...said.values },
      by,
    })),
  }
}
