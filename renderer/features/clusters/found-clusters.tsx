import { Button, Spinner } from '@blueprintjs/core'
import { type ReactNode, useEffect, useState } from 'react'
import type { FoundCluster, RequestOutput } from '../../../shared/contract/index.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { assertNever } from '../../../shared/domain/must.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { foundClusters } from '../../bridge/cluster-edits.ts'
import { useConsole } from '../../stores/console.ts'
import { useDroppedFiles } from '../../stores/dropped-files.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { TestReport } from '../../ui/clusters/test-report.tsx'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import type { useClusterTests, Way, WayTest } from './use-cluster-tests.ts'

type Found = RequestOutput<'cluster.found'>

/** How many are tested automatically; the operator can start more tests. */
const MOST_TESTED = 12

interface Props {
  readonly tests: ReturnType<typeof useClusterTests>
  readonly onChoose: (found: FoundCluster) => void
}

/** The clusters described by files of this machine and by dropped files, each with a finished test. */
export function FoundClusters({ tests, onChoose }: Props): ReactNode {
  const [usual, setUsual] = useState<Found | Failure | null>(null)
  const [dropped, setDropped] = useState<Found | Failure | null>(null)
  const files = useDroppedFiles(({ paths }) => paths)
  // A demo never contacts the real clouds of this machine on its own initiative.
  const mayTest = useConsole(({ description }) => description?.demo === false)
  useEffect(() => {
    void foundClusters(null).then(answer => setUsual(answer.ok ? answer.value : answer.failure))
  }, [])
  useEffect(() => {
    if (files.length === 0) return
    let last = true
    void foundClusters(files).then(answer => {
      if (last) setDropped(answer.ok ? answer.value : answer.failure)
    })
    return () => {
      last = false
    }
  }, [files])
  const lists = [dropped, usual].filter(list => list !== null && 'clusters' in list)
  const clusters = lists.flatMap(list => list.clusters)
  const unread = lists.flatMap(list => list.unread)
  const failures = [dropped, usual].filter(list => list !== null && 'code' in list)
  const toTest = mayTest ? clusters.filter(isTestable).slice(0, MOST_TESTED) : []
  const ways = JSON.stringify(toTest.map(wayOf))
  // biome-ignore lint/correctness/useExhaustiveDependencies: a way is tested once, when it is found.
  useEffect(() => {
    for (const way of JSON.parse(ways) as Way[]) if (tests.of(way) === null) tests.run(way)
  }, [ways])

  return (
    <section className="panel" aria-labelledby="found-title">
      <h2 id="found-title">Found on this computer</h2>
      {usual === null ? <Spinner size={18} aria-label="Reading kubeconfigs" /> : null}
      {failures.map(failure => (
        <FailureCallout key={failure.message} title="The files could not be read" failure={failure} />
      ))}
      <ul className="found plain-list">
        {clusters.map(found => (
          <li key={JSON.stringify([found.paths, found.context.name])}>
            <FoundRow
              found={found}
              test={tests.of(wayOf(found))}
              onTest={() => tests.run(wayOf(found))}
              onChoose={onChoose}
            />
          </li>
        ))}
      </ul>
      {unread.length === 0 ? null : (
        <details className="quiet">
          <summary>{counted(unread.length, 'file')} could not be used</summary>
          <ul>
            {unread.map(({ path, why }) => (
              <li key={path}>{why}</li>
            ))}
          </ul>
        </details>
      )}
      <p className="quiet">
        {usual !== null && clusters.length === 0 ? 'There is no kubeconfig where kubectl looks, nor in ~/.kube. ' : ''}
        Drop a kubeconfig or a clouds.yaml anywhere on this page, or name the files below.
      </p>
    </section>
  )
}

interface RowProps {
  readonly found: FoundCluster
  readonly test: WayTest | null
  readonly onTest: () => void
  readonly onChoose: Props['onChoose']
}

function FoundRow({ found, test, onTest, onChoose }: RowProps): ReactNode {
  const { context, cloud, registered } = found
  return (
    <div className="found-row row wrap" data-registered={registered !== null}>
      <div className="found-what">
        <strong className="mono cut" title={found.paths.join(':')}>
          {context.name}
        </strong>
        <span className="quiet">
          {context.host ?? 'no usable address'} as {context.user ?? 'nobody'}
        </span>
        <span className="quiet">{cloudWords(found)}</span>
      </div>
      <span className="space" />
      {registered !== null ? (
        <span className="quiet">
          Registered as <a href={hashOf(clusterRoute(registered, 'topology'))}>{registered}</a>
        </span>
      ) : (
        <>
          {test === null && isTestable(found) ? <Button variant="minimal" text="Test" onClick={onTest} /> : null}
          <Button
            text="Use"
            aria-label={`Use ${context.name}${cloud === null ? '' : ` with cloud ${cloud.cloud}`}`}
            disabled={context.host === null}
            onClick={() => onChoose(found)}
          />
        </>
      )}
      {registered === null ? <TestLine found={found} test={test} /> : null}
    </div>
  )
}

/** The cloud that seems to belong to it, and why. */
function cloudWords({ cloud }: FoundCluster): string {
  if (cloud === null) return 'the files do not say which cloud it has'
  switch (cloud.because) {
    case 'name':
      return `cloud ${cloud.cloud}, which has the same name`
    case 'host':
      return `cloud ${cloud.cloud}, on the same host`
    case 'domain':
      return `cloud ${cloud.cloud}, in the same domain`
    case 'only':
      return `cloud ${cloud.cloud}, the only one`
    default:
      return assertNever(cloud.because, 'reason of a pairing')
  }
}

/** The result of a test in one line; the answers fold out. */
function TestLine({ found, test }: Pick<RowProps, 'found' | 'test'>): ReactNode {
  if (test === null) {
    return found.context.execPlugin === null || found.context.execPlugin.consented ? null : (
      <p className="found-test quiet">Not tested: its kubeconfig runs a command first. Use it to see the command.</p>
    )
  }
  switch (test.kind) {
    case 'running':
      return (
        <p className="found-test quiet" role="status">
          Testing; nothing changes…
        </p>
      )
    case 'failed':
      return <p className="found-test caution">Could not be tested: {test.failure.message}</p>
    case 'answered': {
      const bad = test.report.items.filter(({ outcome }) => outcome === 'failed' || outcome === 'missing')
      return (
        <details className="found-test">
          <summary>
            {test.report.ok
              ? `✓ Tested: everything that maintenance needs is there${found.cloud === null ? ', except a cloud' : ''}`
              : `✕ ${bad.length} of ${counted(test.report.items.length, 'answer')} not good: ${bad[0]?.message ?? ''}`}
          </summary>
          <TestReport report={test.report} />
        </details>
      )
    }
    default:
      return assertNever(test, 'state of a test')
  }
}

function isTestable({ registered, context }: FoundCluster): boolean {
  const agreed = context.execPlugin === null || context.execPlugin.consented
  return registered === null && context.host !== null && agreed
}

function wayOf({ paths, context, cloud }: FoundCluster): Way {
  return {
    kubeconfig: { paths, context: context.name },
    cloud: cloud === null ? null : { path: cloud.path, cloud: cloud.cloud },
  }
}
