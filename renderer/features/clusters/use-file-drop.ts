import { type DragEvent, useState } from 'react'
import { pathOfDropped } from '../../bridge/cluster-edits.ts'
import { useDroppedFiles } from '../../stores/dropped-files.ts'
import { goTo } from '../../stores/route.ts'
import { showToast } from '../../stores/toasts.ts'

/** Accepts dropped files: opens the page that adds a cluster, with their paths. `over`: a file is over the element. */
export function useFileDrop(): {
  readonly over: boolean
  readonly handlers: Readonly<Record<'onDragOver' | 'onDragLeave' | 'onDrop', (event: DragEvent) => void>>
} {
  const [over, setOver] = useState(false)
  const take = async (files: readonly File[]) => {
    const answers = await Promise.all(files.map(pathOfDropped))
    const paths = answers.flatMap(answer => (answer.ok ? [answer.value.path] : []))
    for (const answer of answers) if (!answer.ok) showToast({ tone: 'caution', text: answer.failure.message })
    if (paths.length === 0) return
    useDroppedFiles.setState(before => ({ paths: [...before.paths, ...paths] }))
    goTo({ kind: 'add-cluster' })
  }
  return {
    over,
    handlers: {
      onDragOver: event => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setOver(true)
      },
      onDragLeave: event => {
        if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget))) setOver(false)
      },
      onDrop: event => {
        setOver(false)
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        void take([...event.dataTransfer.files])
      },
    },
  }
}
