import { AnchorButton } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { useClusters } from '../../stores/clusters.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { CloudRows } from './cloud-rows.tsx'
import { NoClouds } from './no-clouds.tsx'
import { useFileDrop } from './use-file-drop.ts'
import './home.css'

/** All clouds: their nodes by state, where each is reached, and the way to another one. */
export function CloudsScreen(): ReactNode {
  const list = useClusters(store => store.list)
  const drop = useFileDrop()
  const clusters = list.kind === 'listed' ? [...list.byName.values()] : []
  return (
    <div className="home-clouds" data-drop={drop.over} {...drop.handlers}>
      <header className="spread">
        <h1>Clouds</h1>
        <AnchorButton intent="primary" text="Add a cloud" href={hashOf({ kind: 'add-cluster' })} />
      </header>
      {clusters.length === 0 ? (
        <NoClouds list={list} />
      ) : (
        <CloudRows
          clusters={clusters}
          more={({ name, kubeconfig, cloud }) => (
            <p className="quiet small row wrap home-reach">
              <span>
                Kubernetes <span className="mono">{kubeconfig.context}</span>
              </span>
              <span>
                {cloud === null ? (
                  'no OpenStack'
                ) : (
                  <>
                    OpenStack <span className="mono">{cloud.cloud}</span>
                  </>
                )}
              </span>
              <span className="space" />
              <a href={hashOf(clusterRoute(name, 'settings'))} aria-label={`Settings of ${name}`}>
                Settings
              </a>
            </p>
          )}
        />
      )}
    </div>
  )
}
