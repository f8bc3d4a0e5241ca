import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { constants, gzipSync } from 'node:zlib'
import { readBuildFacts } from './build-facts.ts'
import { NODE_FLAGS, PROJECT } from './project.ts'
import { debianLibrary, type ShippedRuntime } from './shipped-runtime.ts'
import { DIST, freshFolder, put, run, settleModes, settleTimes, stageNode, stageProgram } from './stage.ts'

// Makes dist/lockkeeper-VERSION.oci.tar, an image of one layer: the program, its Node and the libraries that this needs. It has no shell,
// and runs as a user who owns nothing but his home.
const ROOT = resolve(import.meta.dirname, '..')
const USER = 65532
const HOME = '/home/lockkeeper'
const facts = readBuildFacts(ROOT)
const at = new Date(facts.at)
const root = freshFolder('oci-root')
const program = join(root, 'usr/lib/lockkeeper')

const node = stageNode(program)
stageProgram(program, [node, ...stageLibraries()])
put(
  join(root, 'etc/passwd'),
  `root:x:0:0:root:/root:/nonexistent\nlockkeeper:x:${USER}:${USER}::${HOME}:/nonexistent\n`,
)
put(join(root, 'etc/group'), `root:x:0:\nlockkeeper:x:${USER}:\n`)
put(join(root, 'etc/nsswitch.conf'), 'passwd: files\ngroup: files\nhosts: files dns\n')
for (const folder of ['tmp', 'home/lockkeeper']) mkdirSync(join(root, folder), { recursive: true })
settleModes(root)
run('chmod', ['1777', join(root, 'tmp')], 'coreutils')
run('chmod', ['700', join(root, 'home/lockkeeper')], 'coreutils')
settleTimes(root, at)

// The home is its user's; all else is root's, and nobody else writes to it.
const tar = join(DIST, 'oci-layer.tar')
const steady = ['--sort=name', `--mtime=@${at.getTime() / 1000}`, '--numeric-owner', '--format=gnu']
const ofRoot = ['--owner=0', '--group=0']
run('tar', ['-cf', tar, ...steady, ...ofRoot, '--exclude=./home/lockkeeper', '-C', root, '.'], 'tar')
run('tar', ['-rf', tar, ...steady, `--owner=${USER}`, `--group=${USER}`, '-C', root, './home/lockkeeper'], 'tar')
const unzipped = readFileSync(tar)
const layer = gzipSync(unzipped, { level: constants.Z_BEST_COMPRESSION })
rmSync(tar)
rmSync(root, { recursive: true })

const layout = freshFolder('oci')
const config = blob(
  JSON.stringify({
    created: facts.at,
    architecture: 'amd64',
    os: 'linux',
    config: {
      User: `${USER}:${USER}`,
      Env: ['PATH=/usr/lib/lockkeeper', `HOME=${HOME}`, 'NODE_ENV=production'],
      Entrypoint: ['/usr/lib/lockkeeper/node', ...NODE_FLAGS, '/usr/lib/lockkeeper/out/cli/lockkeeper.mjs'],
      Cmd: ['--help'],
      WorkingDir: HOME,
      Labels: {
        'org.opencontainers.image.title': 'Lockkeeper',
        'org.opencontainers.image.version': facts.version,
        'org.opencontainers.image.revision': facts.commit,
        'org.opencontainers.image.created': facts.at,
        'org.opencontainers.image.licenses': PROJECT.license,
      },
    },
    rootfs: { type: 'layers', diff_ids: [digestOf(unzipped)] },
    history: [{ created: facts.at, created_by: 'lockkeeper' }],
  }),
  'application/vnd.oci.image.config.v1+json',
)
const manifest = blob(
  JSON.stringify({
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config,
    layers: [blob(layer, 'application/vnd.oci.image.layer.v1.tar+gzip')],
  }),
  'application/vnd.oci.image.manifest.v1+json',
)
put(join(layout, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}')
const named = { ...manifest, annotations: { 'org.opencontainers.image.ref.name': facts.version } }
put(join(layout, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests: [named] }))
settleModes(layout)
settleTimes(layout, at)
const made = join(DIST, `lockkeeper-${facts.version}.oci.tar`)
run('tar', ['-cf', made, ...steady, ...ofRoot, '-C', layout, '.'], 'tar')
rmSync(layout, { recursive: true })
process.stdout.write(`${made}: ${(statSync(made).size / 1e6).toFixed(1)} MB\n`)

/** What Node is linked with, from this machine, each with its copyright. Answers what they are. */
function stageLibraries(): readonly ShippedRuntime[] {
  const linked = run('ldd', [join(program, 'node')], 'libc-bin').matchAll(/(?:=> )?(\/\S+) \(0x/g)
  const owners = new Set<string>()
  for (const [, library = ''] of linked) {
    const target = join(root, library)
    mkdirSync(dirname(target), { recursive: true })
    cpSync(realpathSync(library), target)
    const owner = run('dpkg-query', ['-S', `*/${basename(realpathSync(library))}`], 'dpkg').split(':')[0] ?? ''
    const copyright = join('/usr/share/doc', owner, 'copyright')
    const kept = join(root, 'usr/share/doc', owner)
    mkdirSync(kept, { recursive: true })
    cpSync(realpathSync(copyright), join(kept, 'copyright'))
    // It leaves out the texts of the licences that every Debian has; our image has to include them.
    for (const [text] of readFileSync(copyright, 'utf8').matchAll(/\/usr\/share\/common-licenses\/[\w.-]*\w/g)) {
      mkdirSync(dirname(join(root, text)), { recursive: true })
      cpSync(realpathSync(text), join(root, text))
    }
    owners.add(owner)
  }
  return [...owners].sort().map(owner => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg's own names.
    const reported = run('dpkg-query', ['-W', '-f', '${Version} ${source:Package} ${source:Version}', owner], 'dpkg')
    const [version = '', source = '', ofSource = ''] = reported.split(' ')
    return debianLibrary(owner, version, `${source}=${ofSource}`)
  })
}

function blob(content: string | Uint8Array, mediaType: string) {
  const digest = digestOf(content)
  put(join(layout, 'blobs', digest.replace(':', '/')), content)
  return { mediaType, digest, size: Buffer.byteLength(content) }
}

function digestOf(content: string | Uint8Array): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`
}
