import { z } from 'zod'
import { failure } from '../../shared/domain/failure.ts'
import { MailAddress } from '../../shared/domain/mail.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { readNamedText } from '../files/named-file.ts'
import { readYamlText } from '../files/yaml-text.ts'

/** Whom to write to about a project. Nothing is guessed: it stands in the operator's file, or there is nobody. */
interface AddressBook {
  of(project: { readonly id: string | null; readonly name: string | null }): {
    readonly to: readonly string[]
    readonly why: string
  }
}

const File = z.strictObject({
  /** What holds of every other project, such as `{project}@tenants.example.com`; `{id}` is its id. */
  template: z.string().max(300).optional(),
  /** By the project's id, or its name. */
  projects: z.record(z.string(), z.union([MailAddress, z.array(MailAddress).min(1).max(20)])).optional(),
})

/** Nobody is written to where no file was named. */
export const EMPTY_BOOK: AddressBook = {
  of: () => ({ to: [], why: 'no file with addresses was named (`lockkeeper mail set --addresses FILE`)' }),
}

/** Reads the operator's file of addresses (YAML), as it is now. */
export async function readAddressBook(path: string): Promise<Result<AddressBook>> {
  const text = await readNamedText(path)
  if (!text.ok) return text
  const wrong = (why: string) =>
    failed(failure('bad-input', `The addresses in ${path} cannot be used: ${why}.`, { target: path }))
  const yaml = readYamlText(text.value, { textOnly: true })
  if (!yaml.ok) return wrong(yaml.why)
  const parsed = File.safeParse(yaml.value)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    return wrong(`${issue?.path.join('.') || 'its beginning'}: ${issue?.message ?? 'not as expected'}`)
  }
  const { template, projects = {} } = parsed.data
  const listed = (key: string | null) =>
    key !== null && Object.hasOwn(projects, key) ? [projects[key] ?? []].flat() : null
  return ok({
    of: ({ id, name }) => {
      const named = listed(id) ?? listed(name)
      if (named !== null) return { to: named, why: `as ${path} says` }
      if (template === undefined || id === null) return { to: [], why: `${path} names nobody for it` }
      if (name === null && template.includes('{project}')) {
        return { to: [], why: 'its name, which the template needs, is not known' }
      }
      const made = template.replaceAll('{project}', name ?? '').replaceAll('{id}', id)
      return MailAddress.safeParse(made).success
        ? { to: [made], why: `by the template of ${path}` }
        : { to: [], why: `the template of ${path} makes no address of its name` }
    },
  })
}
