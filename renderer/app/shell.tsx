import type { ReactNode } from 'react'
import { isConnected } from '../bridge/transport.ts'
import { ClusterScreen } from '../features/clusters/cluster-screen.tsx'
import mark from './mark.svg'

/** The frame around every screen: who we are, whether main is there, and the screen itself. */
export function Shell(): ReactNode {
  const connected = isConnected()
  return (
    <>
      <a className="skip-link" href="#screen">
        Skip to the screen
      </a>
      <header className="bar">
        <img src={mark} alt="" width="28" height="28" />
        <span className="bar-name">Lockkeeper</span>
        <span className="bar-status" data-connected={connected} role="status">
          {connected ? 'Connected' : 'Not connected'}
        </span>
      </header>
      <main id="screen" className="page" tabIndex={-1}>
        <ClusterScreen />
      </main>
    </>
  )
}
