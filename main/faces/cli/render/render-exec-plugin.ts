import type { ExecPlugin } from '../../../../shared/contract/index.ts'
import { shellWord } from '../../../../shared/grammar/shell-word.ts'
import type { Look } from '../words/look.ts'
import { hang } from '../words/width.ts'

/** A credential command of a kubeconfig in full; shown before its first execution. */
export function renderExecPlugin(cluster: string, plugin: ExecPlugin, look: Look): readonly string[] {
  const { symbols, palette, columns } = look
  return [
    ...hang(
      `${symbols.warning} `,
      `The kubeconfig of ${cluster} runs a command on this machine to get credentials:`,
      columns,
    ).map(palette.warn),
    ...hang('  file       ', plugin.file, columns),
    ...hang('  user       ', plugin.user, columns),
    ...hang('  command    ', plugin.command, columns),
    ...hang('  arguments  ', plugin.args.length === 0 ? 'none' : plugin.args.map(shellWord).join(' '), columns),
    ...hang('  sets       ', plugin.envNames.length === 0 ? 'no variables' : plugin.envNames.join(', '), columns),
  ]
}
