import { Component, type ReactNode } from 'react'
import { Notice } from '../ui/notice.tsx'

interface Props {
  readonly children: ReactNode
}

/** Shows what happened instead of an empty window when drawing fails (docs/style.md G36). */
export class ErrorBoundary extends Component<Props, { readonly broken: boolean }> {
  override readonly state = { broken: false }

  static getDerivedStateFromError(): { readonly broken: boolean } {
    return { broken: true }
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children
    return (
      <main className="page">
        <Notice tone="problem" title="This screen could not be drawn">
          <p>This is a fault of Lockkeeper's page. Runs are not affected.</p>
          <p>
            <button type="button" onClick={() => window.location.reload()}>
              Try again
            </button>
          </p>
        </Notice>
      </main>
    )
  }
}
