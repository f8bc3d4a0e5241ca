import { Button } from '@blueprintjs/core'
import { CrossIcon } from '@blueprintjs/icons'
import { type ReactNode, useEffect, useState } from 'react'
import { dismissToast, type Toast, useToasts } from '../stores/toasts.ts'

/** Long enough to read; a message with an action stays longer. */
const SHOWN_MS = 5000
const WITH_ACTION_MS = 30_000

/** The latest messages at the bottom right. Each disappears after a while, but stays while the pointer is on it. */
export function Toasts(): ReactNode {
  const said = useToasts(store => store.said)
  const shown = useToasts(store => store.shown)
  return (
    <section className="toasts column" aria-label="Messages" aria-live="polite">
      {said
        .filter(({ id }) => shown.includes(id))
        .map(toast => (
          <ToastCard key={toast.id} toast={toast} />
        ))}
    </section>
  )
}

function ToastCard({ toast }: { readonly toast: Toast }): ReactNode {
  const { id, action, tone, text } = toast
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held) return
    const timer = window.setTimeout(() => dismissToast(id), action === null ? SHOWN_MS : WITH_ACTION_MS)
    return () => window.clearTimeout(timer)
  }, [held, id, action])
  return (
    <div
      className={`toast floats row toast-${tone}`}
      role="status"
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span className="space">{text}</span>
      {action === null ? null : (
        <Button
          size="small"
          text={action.text}
          onClick={() => {
            dismissToast(id)
            action.run()
          }}
        />
      )}
      <Button
        size="small"
        variant="minimal"
        icon={<CrossIcon />}
        aria-label="Dismiss"
        onClick={() => dismissToast(id)}
      />
    </div>
  )
}
