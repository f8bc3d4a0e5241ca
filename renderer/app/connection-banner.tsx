import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { useConnection } from '../stores/connection.ts'
import { Age } from '../ui/when.tsx'

/** Says that what is shown is no longer kept current, since when, and what is being done about it. */
export function ConnectionBanner(): ReactNode {
  const connection = useConnection(store => store.connection)
  switch (connection.kind) {
    case 'connecting':
    case 'connected':
      return null
    case 'lost':
      return (
        <div className="banner row banner-caution" role="status">
          <span>
            The connection to the console broke <Age at={connection.since} />. What is shown is from then. If the
            console itself is gone, nobody drives the runs it drove: start it again and resume them. The page connects
            again by itself.
          </span>
        </div>
      )
    case 'not-let-in':
      return (
        <div className="banner row banner-trouble" role="alert">
          <span>{connection.why}</span>
        </div>
      )
    case 'ended':
      return (
        <div className="banner row banner-trouble" role="alert">
          <span>
            The console is gone since <Age at={connection.since} />: {connection.why}. Runs it was driving can be
            resumed from the next one.
          </span>
          <Button size="small" text="Reload" onClick={() => window.location.reload()} />
        </div>
      )
  }
}
