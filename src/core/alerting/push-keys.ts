/** The key pair of this installation on the curve P-256, in base64url: 65 bytes uncompressed, and 32 bytes. */
export type PushKeys = { publicKey: string; privateKey: string }
