import { z } from 'zod'
import { MailAddress } from '../../../../shared/domain/mail.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import { readNamedText } from '../../../platform/files/named-file.ts'
import { readYamlText } from '../../../platform/files/yaml-text.ts'

/** The mail addresses of projects, only from the operator's file; never guesses. */
interface AddressBook {
  of(project: { readonly id: string | null; readonly name: string | null }): {
    readonly to: readonly string[]
    /** The source of the addresses, or why there are none: a clause. */
    readonly why: Finding
  }
}

const File = z.strictObject({
  /** The address of all other projects, such as `{project}@tenants.example.com`; `{id}` is the project's id. */
  template: z.string().max(300).optional(),
  /** Keyed by the id or name of the project. */
  projects: z.record(z.string(), z.union([MailAddress, z.array(MailAddress).min(1).max(20)])).optional(),
})

export const NO_ADDRESSES: AddressBook = {
  of: () => ({ to: [], why: because('NoAddressFile') }),
}

export async function readAddressBook(path: string): Promise<Result<AddressBook>> {
  const text = await readNamedText(path)
  if (!text.ok) return text
  const wrong = (fault: Finding) =>
    failed(refusal('bad-input', because('AddressFileUnusable', { path, fault }), { target: path }))
  const yaml = readYamlText(text.value, { textOnly: true })
  if (!yaml.ok) return wrong(yaml.fault)
  const parsed = File.safeParse(yaml.value)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const [at, problem] = [issue?.path.join('.') ?? '', issue?.message ?? 'not as expected']
    return wrong(because('AddressFileIssue', { at, problem }))
  }
  const { template, projects = {} } = parsed.data
  const listed = (key: string | null) =>
    key !== null && Object.hasOwn(projects, key) ? [projects[key] ?? []].flat() : null
  return ok({
    of: ({ id, name }) => {
      const named = listed(id) ?? listed(name)
      if (named !== null) return { to: named, why: because('AddressInFile', { path }) }
      if (template === undefined || id === null) return { to: [], why: because('NoAddressInFile', { path }) }
      if (name === null && template.includes('{project}')) {
        return { to: [], why: because('NoNameForTemplate') }
      }
      const made = template.replaceAll('{project}', name ?? '').replaceAll('{id}', id)
      return MailAddress.safeParse(made).success
        ? { to: [made], why: because('AddressFromTemplate', { path }) }
        : { to: [], why: because('NoAddressByTemplate', { path }) }
    },
  })
}
