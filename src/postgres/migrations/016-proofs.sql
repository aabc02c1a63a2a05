-- Whether a link to set a password went by mail to the account's address: who uses it reads mail there.
ALTER TABLE password_links ADD COLUMN is_mailed boolean NOT NULL DEFAULT false;
