/** Where files are searched: environment, home and current directory, passed in so that a test has its own. */
export interface FilePlaces {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly currentDirectory: string
  /** /etc/openstack, unless a test has its own. */
  readonly siteDirectory?: string
}
