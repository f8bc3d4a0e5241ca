import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'

/** A controller, as the Juju client stores it after a login. */
interface ClientAccount {
  readonly name: string
  readonly address: string
  readonly controllerUuid: string
  readonly caCertificate: string
  readonly user: string
  readonly password: string
  readonly model: string
  readonly modelUuid: string
}

/** Writes the files that `juju login` leaves in ~/.local/share/juju (Juju `jujuclient/file.go`), readable by this user only. */
export function writeClientFiles(directory: string, account: ClientAccount): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const files = {
    'controllers.yaml': {
      controllers: {
        [account.name]: {
          uuid: account.controllerUuid,
          'api-endpoints': [account.address],
          'ca-cert': account.caCertificate,
          cloud: account.name,
          'agent-version': '3.6.9',
        },
      },
      'current-controller': account.name,
    },
    'accounts.yaml': {
      controllers: {
        [account.name]: { user: account.user, password: account.password, 'last-known-access': 'superuser' },
      },
    },
    'models.yaml': {
      controllers: {
        [account.name]: {
          models: { [account.model]: { uuid: account.modelUuid, type: 'iaas' } },
          'current-model': account.model,
        },
      },
    },
  }
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(directory, name), stringify(content), { mode: 0o600 })
  }
}
