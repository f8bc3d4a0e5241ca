import { type ReactNode, useState } from 'react'
import { counted, listed } from '../../../shared/grammar/counts.ts'
import { skipNode } from '../../bridge/updates.ts'
import { showToast } from '../../stores/toasts.ts'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'

interface Props {
  readonly runId: string
  readonly cluster: string
  readonly nodes: readonly string[]
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Asks before nodes that were not begun are passed, so that the window is kept. */
export function LeaveOutDialog({ runId, cluster, nodes, isOpen, onClose }: Props): ReactNode {
  const [reason, setReason] = useState('to end within the window')
  const what = `Leave out ${counted(nodes.length, 'node')} of ${cluster}`
  const leaveOut = async (why: string) => {
    for (const node of nodes) {
      const answer = await skipNode(runId, node, why)
      if (!answer.ok) return answer
    }
    showToast({ text: `Requested: ${listed(nodes)} of ${cluster} ${nodes.length === 1 ? 'is' : 'are'} left out.` })
    return { ok: true, value: null } as const
  }
  return (
    <ReasonDialog
      isOpen={isOpen}
      onClose={onClose}
      title={what}
      reason={reason}
      onReason={setReason}
      confirm={what}
      isReady
      failureTitle="They were not all left out"
      act={leaveOut}
    >
      <p>
        <b>{listed(nodes)}</b> {nodes.length === 1 ? 'was' : 'were'} not begun.{' '}
        {nodes.length === 1 ? 'It is' : 'They are'} left as they are: not drained, not worked on. The run goes on with
        the others.
      </p>
    </ReasonDialog>
  )
}
