import { Component, type ReactNode } from 'react'
import { Notice } from '../ui/notice.tsx'

interface Props {
  readonly children: ReactNode
}

/** Keeps a bug in drawing from leaving an empty window: says what happened and that runs are not affected (docs/style.md G36). */
export class ErrorBoundary extends Component<Props, { readonly broken: boolean }> {
  override readonly state = { broken: false }

  static getDerivedStateFromError(): { readonly broken: boolean } {
    return { broken: true }
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children
    return (
      <main className="page">
        <Notice tone="problem" title="This screen stopped drawing">
          <p>This is a fault of Lockkeeper's screen. Runs are driven elsewhere and are not affected.</p>
          <p>
            <button type="button" onClick={() => window.location.reload()}>
              Draw it again
            </button>
          </p>
        </Notice>
      </main>
    )
  }
}
