import { confineFaults, installCrashHandler, outsideConnections } from '../../../main/platform/log/crash.ts'
import { silentLogger } from '../../../main/platform/log/logger.ts'

// Faults that reach the top, of a connection or of what it began; says which ended, and whether the process lives on.
const said: string[] = []
installCrashHandler({ log: silentLogger, write: () => {} })
const outside = process.argv[2] === 'outside'

function faults(): void {
  setTimeout(() => {
    throw new Error('thrown later')
  }, 1)
  setTimeout(() => void Promise.reject(new Error('nobody caught it')), 10)
}

confineFaults(
  fault => said.push(`ended: ${fault instanceof Error ? fault.message : ''}`),
  () => (outside ? outsideConnections(faults) : faults()),
)
setTimeout(() => console.log([...said, 'alive'].join(', ')), 50)
