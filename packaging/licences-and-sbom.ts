import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ComponentType } from '@cyclonedx/cyclonedx-library/Enums'
import {
  Bom,
  Component,
  type License,
  LicenseExpression,
  NamedLicense,
  SpdxLicense,
} from '@cyclonedx/cyclonedx-library/Models'
import { JSON as CycloneJson, JsonSerializer } from '@cyclonedx/cyclonedx-library/Serialize'
import { Spec1dot6 } from '@cyclonedx/cyclonedx-library/Spec'
import { type BuildFacts, readBuildFacts } from './build-facts.ts'
import { judgeLicence } from './judge-licence.ts'
import type { InventoryEntry, ShippedPackage } from './shipped-package.ts'
import type { ShippedRuntime } from './shipped-runtime.ts'

const RULE = '-'.repeat(78)

/** Writes the notices and the bill of materials of these packages, and of what is shipped beside them, into a folder. */
export function writeLicencesAndSbom(
  folder: string,
  packages: readonly InventoryEntry[],
  beside: readonly ShippedRuntime[] = [],
): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), noticesOf(packages, beside))
  writeFileSync(
    join(folder, 'sbom.cdx.json'),
    billOfMaterials(packages, beside, readBuildFacts(join(import.meta.dirname, '..'))),
  )
}

/** The licence of every package that is shipped, its text where the package has one, and how to exchange what may be exchanged. */
function noticesOf(packages: readonly InventoryEntry[], beside: readonly ShippedRuntime[]): string {
  const replaceable = packages.filter(({ licence }) => judgeLicence(licence).kind === 'replaceable')
  return [
    'Lockkeeper contains parts of the packages below, each under its own licence.',
    ...replaceable.flatMap(({ name, version, licence, files }) => [
      '',
      `${name} ${version} is used under ${licence}. It is in the file ${files.join(', ')} alone, as it was published, not`,
      'minified, and you may exchange that file for your own build of the library, changed or not:',
      '',
      '  1. npm pack the library, change it, and install it beside a file jujulib-entry.mjs that says what is exported:',
      ...readFileSync(join(import.meta.dirname, '../main/adapters/juju/jujulib.ts'), 'utf8')
        .split('\n')
        .filter(line => line.startsWith('export '))
        .map(line => `       ${line}`),
      '  2. npx rolldown jujulib-entry.mjs --platform node --format esm --file jujulib.mjs',
      `  3. put jujulib.mjs in the place of the one that is installed.`,
      '',
      'The terms of the whole do not forbid to change it, nor to reverse engineer it for debugging such changes. Its licence adds to the GNU',
      'General Public License, version 3, whose text is at the end.',
    ]),
    ...beside.flatMap(({ name, version, licence, source }) => [
      '',
      RULE,
      `${name} ${version}`,
      `Licence: ${licence}`,
      source,
    ]),
    ...packages.flatMap(({ name, version, licence, author, homepage, texts }) => [
      '',
      RULE,
      `${name} ${version}`,
      `Licence: ${licence}`,
      ...(author === null ? [] : [`Author: ${author}`]),
      ...(homepage === null ? [] : [homepage]),
      '',
      ...(texts.length === 0
        ? ['The package has no licence file; its package.json names the licence.']
        : [texts.join('\n\n')]),
    ]),
    ...(replaceable.length === 0
      ? []
      : [
          '',
          RULE,
          'GNU General Public License, version 3',
          '',
          readFileSync(join(import.meta.dirname, 'licences/GPL-3.0.txt'), 'utf8').trim(),
        ]),
    '',
  ].join('\n')
}

/** A bill of materials as CycloneDX has it. Its number follows from what is in it, its time is that of the build's commit. */
function billOfMaterials(
  packages: readonly ShippedPackage[],
  beside: readonly ShippedRuntime[],
  facts: BuildFacts,
): string {
  const bom = new Bom()
  const content = [...packages, ...beside].map(({ name, version }) => [name, version])
  bom.serialNumber = numberOf(JSON.stringify([facts, content]))
  bom.metadata.timestamp = new Date(facts.at)
  const self = new Component(ComponentType.Application, 'lockkeeper', {
    bomRef: `lockkeeper@${facts.version}`,
    version: facts.version,
    purl: `pkg:npm/lockkeeper@${facts.version}`,
  })
  self.licenses.add(new SpdxLicense('Apache-2.0'))
  bom.metadata.component = self
  for (const { name, version, licence } of packages) {
    const [group, bare] = name.startsWith('@') ? name.split('/') : [undefined, name]
    const component = new Component(ComponentType.Library, bare ?? name, {
      ...(group === undefined ? {} : { group }),
      bomRef: `${name}@${version}`,
      version,
      purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    })
    component.licenses.add(licenceOf(licence))
    self.dependencies.add(component.bomRef)
    bom.components.add(component)
  }
  for (const { kind, name, version, licence, purl } of beside) {
    const type = kind === 'runtime' ? ComponentType.Platform : ComponentType.Library
    const component = new Component(type, name, { bomRef: `${name}@${version}`, version, purl })
    component.licenses.add(licenceOf(licence))
    self.dependencies.add(component.bomRef)
    bom.components.add(component)
  }
  const serializer = new JsonSerializer(new CycloneJson.Normalize.Factory(Spec1dot6))
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`
}

function licenceOf(licence: string | null): License {
  if (licence === null) return new NamedLicense('unknown')
  return / (?:OR|AND|WITH) /.test(licence) ? new LicenseExpression(licence) : new SpdxLicense(licence)
}

/** A UUID that is the same for the same content (RFC 9562, version 8). */
function numberOf(content: string): string {
  const hex = createHash('sha256').update(content).digest('hex')
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16)
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
