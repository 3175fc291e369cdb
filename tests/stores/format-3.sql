BEGIN TRANSACTION;
CREATE TABLE foldem_code (
	"key" VARCHAR(64) NOT NULL, 
	code TEXT NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "foldem_code" VALUES('k1','code 1');
INSERT INTO "foldem_code" VALUES('k2','code 2');
CREATE TABLE foldem_earlier (
	"key" VARCHAR(64) NOT NULL, 
	"of" VARCHAR(64) NOT NULL, 
	number INTEGER NOT NULL, 
	report TEXT NOT NULL, 
	course TEXT, 
	student TEXT, 
	PRIMARY KEY ("key")
);
INSERT INTO "foldem_earlier" VALUES('a5dbba503405d93bcf9f10524c730fc5f79b3029a35455182888c6145f15391f','95f90993f5ef5ef34958f1933b3176c9213286dfcaf2827e393cf10fa35c4b58',0,'{"first": "of ada"}','cs101','ada');
CREATE TABLE foldem_entry (
	"key" VARCHAR(64) NOT NULL, 
	course TEXT NOT NULL, 
	place TEXT NOT NULL, 
	name TEXT NOT NULL, 
	student TEXT NOT NULL, 
	assignment TEXT NOT NULL, 
	unit TEXT NOT NULL, 
	content TEXT NOT NULL, 
	judged_by TEXT NOT NULL, 
	report TEXT NOT NULL, 
	marks TEXT NOT NULL, 
	is_final BOOLEAN NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "foldem_entry" VALUES('95f90993f5ef5ef34958f1933b3176c9213286dfcaf2827e393cf10fa35c4b58','cs101','submitted/ada/warmup/0_warmup.ipynb','0_warmup.ipynb','ada','warmup','warmup','c2','basis','{"second": "of ada"}','{"sum_list": [2, 2]}',1);
INSERT INTO "foldem_entry" VALUES('3714a151d756a2bc9a367a19e24164e64ecf91a3dcc6061b61cdbe798196596f','cs101','submitted/bob/warmup/0_warmup.ipynb','0_warmup.ipynb','bob','warmup','warmup','c3','basis','{"only": "of bob"}','{"sum_list": [0, 2]}',1);
CREATE TABLE foldem_format (
	"key" INTEGER NOT NULL, 
	since TEXT NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "foldem_format" VALUES(3,'0.1.0');
CREATE TABLE foldem_shown (
	"key" VARCHAR(64) NOT NULL, 
	state VARCHAR(64) NOT NULL, 
	PRIMARY KEY ("key")
);
CREATE TABLE foldem_match (
	"key" VARCHAR(64) NOT NULL, 
	"match" TEXT NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "foldem_match" VALUES('m1','{}');
COMMIT;
