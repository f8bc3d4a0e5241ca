import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { constants, gzipSync } from 'node:zlib'
import { readBuildFacts } from './build-facts.ts'
import { COMPLETIONS } from './completions.ts'
import { manPage } from './man-page.ts'
import { ABOUT, PROJECT } from './project.ts'
import { DIST, freshFolder, put, run, settleModes, settleTimes, stageNode, stageProgram } from './stage.ts'

// Makes dist/lockkeeper_VERSION_amd64.deb. LOCKKEEPER_DEB_VERSION gives it another version, as a test of an upgrade needs.
const ROOT = resolve(import.meta.dirname, '..')
const HERE = join(import.meta.dirname, 'debian')
const { maintainer: MAINTAINER, homepage: HOMEPAGE } = PROJECT

const facts = readBuildFacts(ROOT)
const version = process.env.LOCKKEEPER_DEB_VERSION ?? facts.version
const at = new Date(facts.at)
const root = freshFolder('deb')
const program = join(root, 'usr/lib/lockkeeper')
const share = join(root, 'usr/share')
const document = join(share, 'doc/lockkeeper')
const zipped = (content: string | Uint8Array) => gzipSync(content, { level: constants.Z_BEST_COMPRESSION })
const script = (name: string) => readFileSync(join(HERE, name), 'utf8')

stageProgram(program, [stageNode(program)])
put(join(program, 'bin/lockkeeper'), readFileSync(join(import.meta.dirname, 'launcher.sh')), 0o755)
put(join(program, 'bin/open-console'), script('open-console.sh'), 0o755)
mkdirSync(join(root, 'usr/bin'))
symlinkSync('../lib/lockkeeper/bin/lockkeeper', join(root, 'usr/bin/lockkeeper'))

put(join(share, 'man/man1/lockkeeper.1.gz'), zipped(manPage(facts)))
put(join(share, 'bash-completion/completions/lockkeeper'), COMPLETIONS.bash)
put(join(share, 'zsh/vendor-completions/_lockkeeper'), COMPLETIONS.zsh)
put(join(share, 'fish/vendor_completions.d/lockkeeper.fish'), COMPLETIONS.fish)
put(join(share, 'applications/dev.lockkeeper.app.desktop'), script('dev.lockkeeper.app.desktop'))
put(join(share, 'metainfo/dev.lockkeeper.app.metainfo.xml'), metainfo())
for (const icon of readdirSync(join(ROOT, 'resources/icons'))) {
  const size = icon.endsWith('.svg') ? 'scalable' : icon.replace('.png', '')
  const name = icon.endsWith('.svg') ? 'lockkeeper.svg' : 'lockkeeper.png'
  mkdirSync(join(share, 'icons/hicolor', size, 'apps'), { recursive: true })
  cpSync(join(ROOT, 'resources/icons', icon), join(share, 'icons/hicolor', size, 'apps', name))
}
mkdirSync(document, { recursive: true })
put(join(document, 'changelog.gz'), zipped(changelog()))
put(join(document, 'copyright'), copyright())
put(join(document, 'THIRD-PARTY-NOTICES.txt.gz'), zipped(readFileSync(join(program, 'THIRD-PARTY-NOTICES.txt'))))
put(join(share, 'lintian/overrides/lockkeeper'), script('lintian-overrides'))
// Debian's places for them: the licences of the program are in its documentation.
for (const moved of ['LICENSE', 'THIRD-PARTY-NOTICES.txt']) rmSync(join(program, moved))
for (const moved of ['NODE-LICENSE.txt', 'sbom.cdx.json']) renameSync(join(program, moved), join(document, moved))

put(join(root, 'DEBIAN/control'), control())
for (const name of ['preinst', 'postinst', 'prerm', 'postrm'])
  put(join(root, 'DEBIAN', name), script(`${name}.sh`), 0o755)
put(join(root, 'DEBIAN/md5sums'), sums())
settleModes(root)
settleTimes(root, at)
const made = join(DIST, `lockkeeper_${version}_amd64.deb`)
run('dpkg-deb', ['--root-owner-group', '-Zxz', '-z6', '--build', root, made], 'dpkg', {
  SOURCE_DATE_EPOCH: String(at.getTime() / 1000),
  // Several threads cut what they compress into pieces: on a machine with one processor the package would be another one.
  DPKG_DEB_THREADS_MAX: '1',
})
rmSync(root, { recursive: true })
process.stdout.write(`${made}: ${(statSync(made).size / 1e6).toFixed(1)} MB\n`)

function control(): string {
  const kilobytes = Math.ceil(sizeOf(join(root, 'usr')) / 1024)
  return [
    'Package: lockkeeper',
    `Version: ${version}`,
    'Section: admin',
    'Priority: optional',
    'Architecture: amd64',
    `Maintainer: ${MAINTAINER}`,
    `Installed-Size: ${kilobytes}`,
    'Depends: libc6 (>= 2.28), libgcc-s1 (>= 3.4), libstdc++6 (>= 9)',
    'Suggests: chromium',
    `Homepage: ${HOMEPAGE}`,
    'Description: maintenance console for OpenStack clouds on Kubernetes',
    ...wrapped(ABOUT.join(' ')),
    ' .',
    ' This package has the terminal and the console that it serves to a browser of',
    ' the same machine, with its own Node.',
    '',
  ].join('\n')
}

/** A paragraph of a description in Debian's form. */
function wrapped(text: string, width = 78): readonly string[] {
  const lines: string[] = ['']
  for (const word of text.split(' ')) {
    if (`${lines.at(-1)} ${word}`.length <= width) lines.push(`${lines.pop()} ${word}`)
    else lines.push(` ${word}`)
  }
  return lines
}

function metainfo(): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<component type="desktop-application">
  <id>dev.lockkeeper.app</id>
  <metadata_license>CC0-1.0</metadata_license>
  <project_license>Apache-2.0</project_license>
  <name>Lockkeeper</name>
  <summary>Maintain the nodes of OpenStack clouds on Kubernetes</summary>
  <description>
    <p>${ABOUT[0]}</p>
  </description>
  <url type="homepage">${HOMEPAGE}</url>
  <launchable type="desktop-id">dev.lockkeeper.app.desktop</launchable>
  <icon type="stock">lockkeeper</icon>
  <categories><category>System</category></categories>
  <developer id="dev.lockkeeper"><name>${PROJECT.maintainers}</name></developer>
  <content_rating type="oars-1.1" />
  <provides><binary>lockkeeper</binary></provides>
  <releases>
    <release version="${facts.version}" date="${facts.at.slice(0, 10)}" />
  </releases>
</component>
`
}

/** Our changelog in Debian's form: an entry a version, the newest first. */
function changelog(): string {
  const entries = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').split(/^## /m).slice(1)
  const written = entries.map((entry, index) => {
    const [heading = '', ...lines] = entry.split('\n')
    const [name = '', day = ''] = heading.split(', ')
    const date = new Date(`${day}T12:00:00Z`).toUTCString().replace('GMT', '+0000')
    const items = lines.filter(line => line.startsWith('- ')).flatMap(line => item(line.slice(2).replaceAll('`', '')))
    return [
      `lockkeeper (${index === 0 ? version : name}) stable; urgency=medium`,
      '',
      ...items,
      '',
      ` -- ${MAINTAINER}  ${date}`,
      '',
    ].join('\n')
  })
  return written.join('\n')
}

/** A point of a changelog, in lines of at most 80 characters. */
function item(text: string): readonly string[] {
  const [first = '', ...others] = wrapped(text, 74)
  return [`  * ${first.trim()}`, ...others.map(line => `   ${line}`)]
}

function copyright(): string {
  return `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Lockkeeper
Upstream-Contact: ${MAINTAINER}
Source: ${HOMEPAGE}
Comment: The bundles contain parts of npm packages: each of them with its licence
 is in THIRD-PARTY-NOTICES.txt.gz beside this file. Of what the binary of Node
 is made is in NODE-LICENSE.txt.

Files: *
Copyright: ${facts.at.slice(0, 4)} the authors of Lockkeeper
License: Apache-2.0
 On Debian systems the text of the licence is in
 /usr/share/common-licenses/Apache-2.0.

Files: usr/lib/lockkeeper/out/cli/jujulib.mjs
Copyright: Canonical Ltd.
License: LGPL-3
 On Debian systems the text of the licence is in
 /usr/share/common-licenses/LGPL-3. To put another build of the library in
 its place, see the beginning of THIRD-PARTY-NOTICES.txt.gz.

Files: usr/lib/lockkeeper/node
Copyright: Node.js contributors
License: Expat
 Permission is hereby granted, free of charge, to any person obtaining a copy
 of this software and associated documentation files (the "Software"), to deal
 in the Software without restriction, including without limitation the rights
 to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
 copies of the Software, and to permit persons to whom the Software is furnished
 to do so, subject to the following conditions:
 .
 The above copyright notice and this permission notice shall be included in all
 copies or substantial portions of the Software.
 .
 THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
 IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
 FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
 AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
 LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
 OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
 SOFTWARE.
`
}

function sums(): string {
  const files = run('find', [join(root, 'usr'), '-type', 'f'], 'findutils')
    .trim()
    .split('\n')
    .sort()
  return run('md5sum', files, 'coreutils').replaceAll(`${root}/`, '')
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}
