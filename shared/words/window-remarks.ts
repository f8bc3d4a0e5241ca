import type { Coded } from '../domain/batch-findings.ts'
import type { FoldedWindow, MaintenanceWindow } from '../domain/window.ts'
import type { RemarkSaid, RemarksSaid } from '../domain/window-remarks.ts'

const REMARKS: { readonly [Code in keyof RemarksSaid]: (values: RemarksSaid[Code]) => string } = {
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

/** What a remark says. */
function remarkWords<Code extends keyof RemarksSaid>({ code, values }: Coded<RemarksSaid, Code>): string {
  return REMARKS[code](values)
}

/** A window as people read it. */
export function wordedWindow(window: FoldedWindow): MaintenanceWindow {
  return {
    ...window,
    remarks: window.remarks.map(({ at, kind, by, ...said }) => ({
      at,
      kind,
      text: remarkWords<keyof RemarksSaid>(said satisfies RemarkSaid),
      code: said.code,
      values: { ...said.values },
      by,
    })),
  }
}
