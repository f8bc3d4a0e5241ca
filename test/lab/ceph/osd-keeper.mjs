// A kubelet's stand-in for the lab's OSDs: Deployments as Rook makes them (label `ceph-osd-id`), whose pods run on the lab's hollow nodes, and the
// real ceph-osd daemon of each runs as long as its pod does. usage: node osd-keeper.mjs KUBE_DIR CEPH_DIR   (ends, and removes them, by SIGTERM)

import { execFile, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'

const [kubeDir, cephDir] = process.argv.slice(2)
const NS = 'rook-ceph'
const APP = 'rook-ceph-osd'
const IDS = [0, 1, 2, 3, 4, 5]
const hostOf = id => `osd-${Math.floor(id / 2) + 1}`
const run = promisify(execFile)
const kubectl = async (...args) =>
  (await run('kubectl', ['--kubeconfig', `${kubeDir}/admin.kubeconfig`, ...args])).stdout
const apply = object =>
  execFileSync('kubectl', ['--kubeconfig', `${kubeDir}/admin.kubeconfig`, 'apply', '-f', '-'], {
    input: JSON.stringify(object),
    stdio: ['pipe', 'ignore', 'inherit'],
  })

/** The pid of a daemon that runs; null when it does not. */
function pidOf(id) {
  try {
    const pid = Number(readFileSync(`${cephDir}/run/osd.${id}.pid`, 'utf8'))
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'ceph-osd' ? pid : null
  } catch {
    return null
  }
}

const start = id =>
  run('ceph-osd', [
    '-c',
    `${cephDir}/ceph.conf`,
    '-i',
    String(id),
    '--crush-location',
    `root=default host=${hostOf(id)}`,
  ])

apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NS } })
apply({
  apiVersion: 'v1',
  kind: 'List',
  items: IDS.map(id => {
    const labels = { app: APP, 'ceph-osd-id': String(id) }
    return {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: `rook-ceph-osd-${id}`, namespace: NS, labels },
      spec: {
        replicas: 1,
        strategy: { type: 'Recreate' },
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            terminationGracePeriodSeconds: 1,
            nodeSelector: { 'kubernetes.io/hostname': hostOf(id) },
            containers: [{ name: 'osd', image: 'lab' }],
          },
        },
      },
    }
  }),
})

/** Ids whose pod runs and is not told to go. */
async function wanted() {
  const { items } = JSON.parse(await kubectl('-n', NS, 'get', 'pods', '-l', `app=${APP}`, '-o', 'json'))
  const lives = pod => pod.status.phase === 'Running' && pod.metadata.deletionTimestamp === undefined
  return new Set(items.filter(lives).map(pod => Number(pod.metadata.labels['ceph-osd-id'])))
}

let ends = false
for (const signal of ['SIGTERM', 'SIGINT']) {
  process.on(signal, () => {
    ends = true
  })
}
// The pods come up first: daemons that run already are not stopped for the moment in which their pods do not.
while (!ends && (await wanted()).size < IDS.length) await new Promise(resolve => setTimeout(resolve, 500))
console.log('every OSD has its pod')
while (!ends) {
  try {
    const pods = await wanted()
    for (const id of IDS) {
      const pid = pidOf(id)
      if (pods.has(id) === (pid !== null)) continue
      console.log(new Date().toISOString(), pods.has(id) ? 'starts' : 'stops', `osd.${id}`)
      if (pid === null) await start(id)
      else process.kill(pid, 'SIGTERM')
    }
  } catch (error) {
    console.error(String(error.stderr ?? error))
  }
  await new Promise(resolve => setTimeout(resolve, 700))
}
await kubectl('-n', NS, 'delete', 'deployments', '-l', `app=${APP}`, '--ignore-not-found')
for (const id of IDS) if (pidOf(id) === null) await start(id)
process.exit(0)
