/** A user, project or domain as clouds.yaml may name it: by id, or by name within a domain. */
export interface NamedInDomain {
  readonly id?: string
  readonly name?: string
  readonly domainId?: string
  readonly domainName?: string
}

/** A domain by id or by name. */
export interface DomainReference {
  readonly id?: string
  readonly name?: string
}

/** What a token is asked to be good for. */
export type TokenScope =
  | { readonly kind: 'project'; readonly project: NamedInDomain }
  | { readonly kind: 'domain'; readonly domain: DomainReference }
  | { readonly kind: 'system' }
  /** Rights that somebody else delegated to this user (Keystone, OS-TRUST). */
  | { readonly kind: 'trust'; readonly id: string }
  /** Whatever the credentials imply: an application credential's own project, a token's own scope. */
  | { readonly kind: 'unscoped' }

/** The ways to prove to Keystone who we are. Holds secrets: never log, print or pass it on. */
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

/** Which of the endpoints of a service is used. */
export type EndpointInterface = 'public' | 'internal' | 'admin'

/**
 * One cloud of clouds.yaml with everything filled in; main/clusters makes it, this room only uses it.
 * Holds secrets: never log, print or pass it on.
 */
export interface ResolvedCloud {
  readonly name: string
  /** Keystone's address, with or without /v3. */
  readonly authUrl: string
  readonly auth: CloudCredentials
  /** Null: the only region there is. */
  readonly regionName: string | null
  readonly interface: EndpointInterface
  readonly caCertPath: string | null
  /** Certificates are not verified; the session warns. */
  readonly insecure: boolean
  /** Paths of a client certificate and its key; the key may be in the same file. */
  readonly clientCert: { readonly certPath: string; readonly keyPath: string | null } | null
  /** Addresses that win over the catalogue, by service type as the catalogue would name it. */
  readonly endpointOverrides: Readonly<Record<string, string>>
  /** What clouds.yaml says of one service alone, by its type: it wins over the region and interface of the cloud. */
  readonly ofServices?: Readonly<Record<string, { readonly region?: string; readonly interface?: EndpointInterface }>>
  /** Never speak a newer compute microversion than this, such as `2.90`. */
  readonly computeMaxMicroversion?: string
}
