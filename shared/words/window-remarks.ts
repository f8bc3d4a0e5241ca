import type { FoldedWindow, MaintenanceWindow } from '../domain/window.ts'
import type { RemarksSaid } from '../domain/window-remarks.ts'
import { instantWords } from '../grammar/times.ts'
import { type TextsOf, textOf } from './coded-text.ts'

const REMARKS: TextsOf<RemarksSaid> = {
  Noted: ({ text }) => text,
  StartAgreed: () => 'It starts automatically when it begins.',
  StartLostByChange: () => 'It was changed, so it no longer starts automatically.',
  StartTakenBack: ({ why }) => `It no longer starts automatically: ${why}`,
  StartedByItself: ({ machine, agreedBy, agreedAt }) =>
    `The console on ${machine} started it automatically, as ${agreedBy} agreed at ${instantWords(agreedAt)}.`,
  StartMissed: ({ why }) => `It did not start automatically. ${why}`,
  OwnersTold: ({ words, ...owners }) => `Sent to ${ownersWords(owners)}. ${words}`,
  OwnersNotTold: ({ words, ...owners }) => `Not sent to ${ownersWords(owners)}: ${words}`,
  OwnersMayBeTold: ({ words, ...owners }) => `May have been sent to ${ownersWords(owners)}. ${words}`,
  OwnersUnheard: owners => `May have been sent to ${ownersWords(owners)}. No answer came.`,
}

function ownersWords({ project, to }: RemarksSaid['OwnersUnheard']): string {
  return `the owners of project ${project ?? 'unknown'} (${to.join(', ')})`
}

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
