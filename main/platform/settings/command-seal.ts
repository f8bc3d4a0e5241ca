import type { CommandWish } from '../../ports/commands.ts'
import { type Signer, signatureHolds } from './signature.ts'

/** Where a command was confirmed: the machine, and the real path of the data directory. */
interface SealedPlace {
  readonly machine: string
  readonly machineId: string | null
  readonly dataDirectory: string
}

/** What the seal covers: the whole command, its run, and its node or application. */
type Sealed = Omit<CommandWish, 'seal' | 'name'>

interface CommandSeal {
  seal(wish: Sealed): string
  holds(wish: CommandWish): boolean
}

/** A seal is valid for one run and one node or application, on this machine, for this data directory. Signer null: no seal is valid. */
export function createCommandSeal(signer: Signer | null, place: SealedPlace): CommandSeal {
  const textOf = ({ runId, cluster, node, application, command, directory }: Sealed) => {
    const { machine, machineId, dataDirectory } = place
    const sealed = [runId, cluster, node, command, directory, machine, machineId, dataDirectory]
    return application === undefined
      ? `lockkeeper-command/1\n${JSON.stringify(sealed)}\n`
      : `lockkeeper-application-command/1\n${JSON.stringify([...sealed, application])}\n`
  }
  return {
    seal: wish => signer?.sign(textOf(wish)) ?? '',
    holds: wish => signer !== null && signatureHolds(signer.publicKey, textOf(wish), wish.seal),
  }
}
