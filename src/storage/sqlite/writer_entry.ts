// A worker that is nothing but the writer.
import { runWriter } from "./writer.ts";

runWriter();
