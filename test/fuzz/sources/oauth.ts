import { OAUTH_PATHS } from '../../../src/core/sign-in/oauth-metadata.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { codeIn, connectionsOf } from '../../support/sign-in/oauth-connections.ts'
import type { Living, Source } from '../living.ts'
import { form, page } from './forms.ts'

/** A program that is let in: it asks, a person agrees, it gets tokens, renews and revokes them. */
export function oauthSources(service: AskedService): Source[] {
  const connections = connectionsOf(service)
  const granted = () => connections.connect()
  /** As far as the page on which the person agrees. */
  const asking = async () => {
    const { person, teamId, program: known } = await granted()
    const program = connections.newProgram()
    Object.assign(program.provider.kept, { client: known.provider.kept.client })
    const { pathname, search, searchParams } = (await program.begin()) as URL
    await person.signIn()
    const headers = { cookie: person.cookie(), origin: service.services.siteUrl }
    return {
      path: pathname + search,
      fields: Object.fromEntries(searchParams),
      person,
      teamId,
      program,
      headers,
    }
  }
  return [
    async () => {
      const { path, headers } = await asking()
      return page(path, headers)
    },
    async () => {
      const { fields, teamId, headers } = await asking()
      const agreed = { ...fields, team: String(teamId), access: 'read', decision: 'allow' }
      return form(OAUTH_PATHS.authorize, agreed, headers)
    },
    async () => {
      const { person, teamId, program, path } = await asking()
      const browser = await connections.browserOf(person)
      const agreed = { team: String(teamId), access: 'read', decision: 'allow' }
      const { location } = await browser.submit(await browser.open(path), agreed)
      const { client, verifier = '' } = program.provider.kept
      return form(OAUTH_PATHS.token, {
        ...{ grant_type: 'authorization_code', client_id: client?.client_id ?? '', code: codeIn(location) },
        ...{ code_verifier: verifier, redirect_uri: String(program.provider.redirectUrl) },
      })
    },
    async () => {
      const { program, tokens } = await granted()
      const fields = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' }
      return form(OAUTH_PATHS.token, { ...fields, client_id: program.provider.kept.client?.client_id ?? '' })
    },
    async () => {
      const { program, tokens } = await granted()
      const client_id = program.provider.kept.client?.client_id ?? ''
      return form(OAUTH_PATHS.revoke, { token: tokens.access_token, client_id })
    },
    async (): Promise<Living> => ({
      ...{ name: 'OAuth register', method: 'POST', path: OAUTH_PATHS.register, headers: {} },
      body: { redirect_uris: ['http://localhost/back'], client_name: 'Client' },
    }),
  ]
}
