import { installCrashHandler } from '../../../../main/platform/log/crash.ts'
import { silentLogger } from '../../../../main/platform/log/logger.ts'

/** Started by crash.test.ts: dies of an error that carries a key. */
installCrashHandler({ log: silentLogger, write: text => process.stderr.write(text) })
void Promise.reject(Object.assign(new Error('request failed'), { agent: { options: { key: '0paque-key-material' } } }))
