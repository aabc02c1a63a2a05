import { registerHooks } from 'node:module'

const COMPILER = new URL('./typescript-api.ts', import.meta.url).href

/** The types of a client of a document, as `openapi-typescript --default-non-nullable=false` writes them. */
export async function generateTypes(document: string): Promise<string> {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'typescript' ? { url: COMPILER, shortCircuit: true } : next(specifier, context),
  })
  try {
    const { default: openapiTS, astToString } = await import('openapi-typescript')
    const types = await openapiTS(Buffer.from(document), { defaultNonNullable: false })
    return astToString(types)
  } finally {
    hooks.deregister()
  }
}
