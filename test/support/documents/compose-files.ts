import { join } from 'node:path'

export const COMPOSE_FOLDER = join(import.meta.dirname, '../../../deploy')
export const COMPOSE_FILES = ['compose.yaml', 'compose.scale.yaml']
/** The variables for deploy/.env that docs/containers.md asks for. */
export const COMPOSE_ENVIRONMENT = {
  SECRET_KEY: 'a secret of the right length',
  POSTGRES_PASSWORD: 'letters4and5digits',
}
