/** What a package has beside the bundles, and no npm package is. */
export interface ShippedRuntime {
  readonly kind: 'runtime' | 'library'
  readonly name: string
  readonly version: string
  /** An SPDX expression. */
  readonly licence: string
  readonly purl: string
  /** Where its licences and its sources are, for the notices. */
  readonly source: string
}

/** The Node of a package. */
export function nodeRuntime(version: string): ShippedRuntime {
  return {
    kind: 'runtime',
    name: 'node',
    version,
    licence: 'MIT',
    purl: `pkg:generic/node@${version}`,
    source:
      'As its makers publish it, without debug symbols. The licences of what it is made of are in NODE-LICENSE.txt.',
  }
}

/** The Electron of the desktop app. */
export function electronRuntime(version: string): ShippedRuntime {
  return {
    kind: 'runtime',
    name: 'electron',
    version,
    licence: 'MIT',
    purl: `pkg:npm/electron@${version}`,
    source:
      'As its makers publish it, with Chromium and Node. Their licences are in LICENSE.electron.txt and LICENSES.chromium.html.',
  }
}

/** The licences of Debian's packages that Node is linked with. Someone must review a new one before it is shipped. */
const LIBRARIES: Readonly<Record<string, string>> = {
  libc6: 'LGPL-2.1-or-later',
  'libgcc-s1': 'GPL-3.0-or-later WITH GCC-exception-3.1',
  'libstdc++6': 'GPL-3.0-or-later WITH GCC-exception-3.1',
}

/** A library that an image takes from Debian; `source`: the name and version by which apt-get source gives its sources. */
export function debianLibrary(name: string, version: string, source: string): ShippedRuntime {
  const licence = LIBRARIES[name]
  if (licence === undefined)
    throw new Error(`The image would have ${name} in it, whose licence nobody has checked yet.`)
  return {
    kind: 'library',
    name,
    version,
    licence,
    purl: `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=amd64`,
    source: `A shared library of Debian, unchanged: \`apt-get source ${source}\`. Its copyright is in /usr/share/doc/${name}.`,
  }
}
