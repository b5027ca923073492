-- Within a statement it is one time. Called volatile, it kept every `<= app_now()` from its index:
-- to find what is over, all of a table was read, and the function asked for each row.
alter function app_now() stable;
