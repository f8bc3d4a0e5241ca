// A kubelet stand-in for one node, just enough that `pods/exec` through the real API server runs a real command here:
// the lab's rook-ceph-tools pod, whose `ceph` is the lab's real Ceph, and `pods/portforward` of any pod on this node reaches this machine's loopback. usage: node toolbox.mjs KUBE_DIR CEPH_CONF [PORT]

import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { connect } from 'node:net'
import { WebSocketServer } from 'ws'

const [dir, cephConf, port = '10399'] = process.argv.slice(2)
const kubectl = (args, input) =>
  execFileSync('kubectl', ['--kubeconfig', `${dir}/admin.kubeconfig`, ...args], { input, encoding: 'utf8' })
const apply = o => kubectl(['apply', '-f', '-'], JSON.stringify(o))
const NODE = 'ops-1',
  NS = 'rook-ceph',
  POD = 'rook-ceph-tools-0'
const patchStatus = (kind, name, status, ns) =>
  kubectl([
    'patch',
    kind,
    name,
    ...(ns ? ['-n', ns] : []),
    '--subresource=status',
    '--type=merge',
    '-p',
    JSON.stringify({ status }),
  ])
const now = () => new Date().toISOString().replace(/\.\d+Z/, 'Z')
apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NS } })
apply({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: NODE, labels: { 'kubernetes.io/os': 'linux', 'kubernetes.io/hostname': NODE } },
  spec: {},
})
const beat = () =>
  patchStatus('node', NODE, {
    addresses: [
      { type: 'InternalIP', address: '127.0.0.1' },
      { type: 'Hostname', address: NODE },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: Number(port) } },
    capacity: { pods: '110', cpu: '4', memory: '8Gi' },
    allocatable: { pods: '110', cpu: '4', memory: '8Gi' },
    conditions: [
      { type: 'Ready', status: 'True', reason: 'KubeletReady', lastHeartbeatTime: now(), lastTransitionTime: now() },
    ],
  })
beat()
setInterval(() => {
  try {
    beat()
  } catch (e) {
    console.error(String(e.stderr ?? e))
  }
}, 6000)
try {
  kubectl(['-n', NS, 'delete', 'pod', POD, '--grace-period=0', '--force', '--ignore-not-found'])
} catch {}
apply({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: POD, namespace: NS, labels: { app: 'rook-ceph-tools' } },
  spec: {
    nodeName: NODE,
    tolerations: [{ operator: 'Exists' }],
    containers: [{ name: 'rook-ceph-tools', image: 'lab' }],
  },
})
patchStatus(
  'pod',
  POD,
  {
    phase: 'Running',
    podIP: '127.0.0.1',
    conditions: [{ type: 'Ready', status: 'True' }],
    containerStatuses: [
      {
        name: 'rook-ceph-tools',
        image: 'lab',
        imageID: 'lab',
        ready: true,
        restartCount: 0,
        state: { running: { startedAt: now() } },
      },
    ],
  },
  NS,
)
const server = createServer(
  { key: readFileSync(`${dir}/pki/apiserver.key`), cert: readFileSync(`${dir}/pki/apiserver.crt`) },
  (_q, s) => {
    s.writeHead(404)
    s.end()
  },
)
const frame = (buf, op = 2) => {
  const n = buf.length
  const h =
    n < 126
      ? Buffer.from([0x80 | op, n])
      : n < 65536
        ? Buffer.from([0x80 | op, 126, n >> 8, n & 255])
        : (() => {
            const b = Buffer.alloc(10)
            b[0] = 0x80 | op
            b[1] = 127
            b.writeBigUInt64BE(BigInt(n), 2)
            return b
          })()
  return Buffer.concat([h, buf])
}
// As kubelets do (k8s.io/kubelet cri/streaming/portforward/websocket.go): channel 0 has the bytes, 1 why it failed; each begins with the port, little endian.
const forwards = new WebSocketServer({
  noServer: true,
  perMessageDeflate: false,
  handleProtocols: offered => (offered.has('v4.channel.k8s.io') ? 'v4.channel.k8s.io' : false),
})
const forward = (talk, port) => {
  talk.on('error', () => talk.terminate())
  const number = Buffer.alloc(2)
  number.writeUInt16LE(port)
  for (const channel of [0, 1]) talk.send(Buffer.concat([Buffer.from([channel]), number]))
  const inside = connect(port, '127.0.0.1')
  talk.on('close', () => inside.destroy())
  talk.on('message', data => {
    if (data[0] === 0 && !inside.write(data.subarray(1))) {
      talk.pause()
      inside.once('drain', () => talk.resume())
    }
  })
  inside.on('data', chunk => {
    inside.pause()
    talk.send(Buffer.concat([Buffer.from([0]), chunk]), () => inside.resume())
  })
  inside.on('error', e => {
    talk.send(Buffer.concat([Buffer.from([1]), Buffer.from(`error forwarding port ${port}: ${e.message}`)]))
    talk.close(1000)
  })
  inside.on('close', () => talk.close(1000))
}
server.on('upgrade', (req, sock, head) => {
  const url = new URL(req.url, 'https://x')
  const wanted = Number(url.searchParams.get('port'))
  if (url.pathname.startsWith('/portForward/') && Number.isInteger(wanted) && wanted > 0) {
    console.log(new Date().toISOString(), 'portForward', url.pathname, wanted)
    forwards.handleUpgrade(req, sock, head, talk => forward(talk, wanted))
    return
  }
  const proto = (req.headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map(s => s.trim())
    .find(p => /^v[45]\.channel\.k8s\.io$/.test(p))
  if (!url.pathname.startsWith('/exec/') || !proto) {
    sock.end('HTTP/1.1 400 Bad Request\r\n\r\n')
    return
  }
  const accept = createHash('sha1')
    .update(`${req.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64')
  sock.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\nSec-WebSocket-Protocol: ${proto}\r\n\r\n`,
  )
  const cmd = url.searchParams.getAll('command')
  console.log(new Date().toISOString(), 'exec', cmd.join(' '))
  const child = spawn(cmd[0], cmd.slice(1), { env: { ...process.env, CEPH_ARGS: `-c ${cephConf}` } })
  const send = (ch, data) => sock.write(frame(Buffer.concat([Buffer.from([ch]), Buffer.from(data)])))
  child.stdout.on('data', d => send(1, d))
  child.stderr.on('data', d => send(2, d))
  const done = (code, message) => {
    send(
      3,
      JSON.stringify(
        code === 0
          ? { metadata: {}, status: 'Success' }
          : {
              metadata: {},
              status: 'Failure',
              message,
              reason: 'NonZeroExitCode',
              details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
            },
      ),
    )
    sock.write(frame(Buffer.from([3, 232]), 8))
    sock.end()
  }
  child.on('error', e => done(127, String(e)))
  child.on('close', code => done(code, `command terminated with non-zero exit code: exit status ${code}`))
  sock.on('error', () => child.kill())
  sock.on('close', () => child.kill())
})
server.listen(Number(port), '127.0.0.1', () => console.log(`toolbox node ${NODE} listens on ${port}`))
