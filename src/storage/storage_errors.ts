// Makes StorageErrors with the texts of k8s.io/apiserver, which reach clients inside other messages.
import { StorageError, type StorageErrorCode } from "./interface.ts";

const TEXTS: Record<StorageErrorCode, { code: number; text: string }> = {
  KeyNotFound: { code: 1, text: "key not found" },
  KeyExists: { code: 2, text: "key exists" },
  ResourceVersionConflicts: { code: 3, text: "resource version conflicts" },
  InvalidObject: { code: 4, text: "invalid object" },
  Unreachable: { code: 5, text: "server unreachable" },
};

export function storageError(code: StorageErrorCode, key: string, revision = 0, detail = "<nil>"): StorageError {
  const { code: number, text } = TEXTS[code];
  const message = `StorageError: ${text}, Code: ${number}, Key: ${key}, ResourceVersion: ${revision}, ` +
    `AdditionalErrorMsg: ${detail}`;
  return new StorageError(code, key, message, revision);
}
