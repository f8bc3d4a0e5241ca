export interface NamedInDomain {
  readonly id?: string
  readonly name?: string
  readonly domainId?: string
  readonly domainName?: string
}

export interface DomainReference {
  readonly id?: string
  readonly name?: string
}

export type TokenScope =
  | { readonly kind: 'project'; readonly project: NamedInDomain }
  | { readonly kind: 'domain'; readonly domain: DomainReference }
  | { readonly kind: 'system' }
  /** Rights that another user delegated to this one (Keystone, OS-TRUST). */
  | { readonly kind: 'trust'; readonly id: string }
  /** The scope of the credentials: an application credential's project, a token's own scope. */
  | { readonly kind: 'unscoped' }

/** Credentials for Keystone. Holds secrets: never log, print or pass it on. */
export type CloudCredentials =
  | { readonly kind: 'password'; readonly user: NamedInDomain; readonly password: string; readonly scope: TokenScope }
  | { readonly kind: 'application-credential'; readonly id: string; readonly secret: string }
  | {
      readonly kind: 'application-credential'
      readonly name: string
      readonly user: NamedInDomain
      readonly secret: string
    }
  | { readonly kind: 'token'; readonly token: string; readonly scope: TokenScope }

export type EndpointInterface = 'public' | 'internal' | 'admin'

/** One cloud of clouds.yaml, complete; main/clusters creates it. Holds secrets: never log, print or pass it on. */
export interface ResolvedCloud {
  readonly name: string
  readonly authUrl: string
  readonly auth: CloudCredentials
  /** Null means the cloud's only region. */
  readonly regionName: string | null
  readonly interface: EndpointInterface
  /** Interfaces to use, in order, if a service lacks the first one. */
  readonly otherInterfaces?: readonly EndpointInterface[]
  readonly caCertPath: string | null
  /** Certificates are not verified; the session warns. */
  readonly insecure: boolean
  /** Paths of a client certificate and its key; the key may be in the same file. */
  readonly clientCert: { readonly certPath: string; readonly keyPath: string | null } | null
  /** Addresses that replace the catalogue's, by its service types. */
  readonly endpointOverrides: Readonly<Record<string, string>>
  /** Settings of clouds.yaml for one service type, which replace the cloud's region and interface. */
  readonly ofServices?: Readonly<Record<string, { readonly region?: string; readonly interface?: EndpointInterface }>>
  /** Highest compute microversion to use, such as `2.90`. */
  readonly computeMaxMicroversion?: string
}
