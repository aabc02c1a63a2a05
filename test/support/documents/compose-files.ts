import { join } from 'node:path'

export const COMPOSE_FOLDER = join(import.meta.dirname, '../../../deploy')
export const COMPOSE_FILES = ['compose.yaml', 'compose.scale.yaml']
/** What deploy/.env has to say, as docs/containers.md tells it. */
export const COMPOSE_ENVIRONMENT = {
  SECRET_KEY: 'a secret of the right length',
  POSTGRES_PASSWORD: 'letters4and5digits',
}
